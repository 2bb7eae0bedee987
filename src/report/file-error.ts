// What the file system says when it refuses something.

/** What a failed file operation means to a person, without the file's name. */
export function describeFileError(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const reasons: Record<string, string> = {
    EACCES: "permission denied",
    EEXIST: "a file is in the way",
    EISDIR: "it is a folder",
    ELOOP: "its links lead in a circle",
    ENAMETOOLONG: "the name is too long",
    ENOENT: "no such file or folder",
    ENOSPC: "no space left on the device",
    ENOTDIR: "a file is in the way",
    EPERM: "not permitted",
    EROFS: "the file system is read-only",
  };
  return (code === undefined ? undefined : reasons[code]) ?? message;
}

export function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOENT";
}
