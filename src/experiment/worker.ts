// A worker thread: does the tasks that it is sent.
import { type Task, type TaskResult, TaskRunner } from "./task.js";

const runner = new TaskRunner();

export default function runTask(task: Task): Promise<TaskResult<unknown>> {
  return runner.run(task);
}
