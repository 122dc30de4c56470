/** What can be done about a failure, as clauses. @param field the label of an option, with its choice */
export const fixes = {
  set: (field: string): string => `choose “${field}”`,
  raise: (field: string): string => `raise “${field}”`,
  raiseTo: (field: string, to: string): string => `raise “${field}” to ${to}`,
  lower: (field: string): string => `lower “${field}”`,
  omit: (field: string): string => `leave “${field}” out`,
  repeat: 'try again',
  resume: (button: string): string => `choose “${button}”`,
  otherLibrary: (page: string): string => `choose a library on another disk (see “${page}”)`,
  discard: (button: string): string => `choose “${button}” in the library`,
  launch: (launcher: string): string => `start it by ${launcher}, on the command line of the cluster`,
  show: (page: string): string => `see “${page}”`,
}
