/** Cases that only a POSIX system has, such as a FIFO: none on Windows. */
export function onPosix<Case>(...cases: Case[]): Case[] {
  return process.platform === "win32" ? [] : cases;
}
