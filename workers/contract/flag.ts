/** Those that are not the names of their options. */
const flags: Readonly<Record<string, string>> = {
  columnFile: '--column',
  columnName: '--attribute',
  device: '--devices',
  excludeFile: '--exclude',
  keepFile: '--keep',
  memoryBytes: '--memory',
  searchSeconds: '--time',
  searchSteps: '--steps',
}

/** What the command line calls an option of a request. */
export const flagOf = (option: string): string =>
  flags[option] ?? `--${option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
