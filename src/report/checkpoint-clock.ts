// When it is time for a checkpoint.

/** When to write checkpoints: soon at first, then every second, but for less than a twentieth of the time. */
export class CheckpointClock {
  #intervalMs = 50;
  #dueMs = performance.now() + this.#intervalMs;

  get isDue(): boolean {
    return performance.now() >= this.#dueMs;
  }

  async measure(write: () => Promise<void>): Promise<void> {
    const startMs = performance.now();
    await write();
    const endMs = performance.now();
    this.#intervalMs = Math.min(1000, 2 * this.#intervalMs);
    this.#dueMs = endMs + Math.max(this.#intervalMs, 20 * (endMs - startMs));
  }
}
