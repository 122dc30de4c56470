/** Words around charts: their tools, and their figures as a table. */
export const charts = {
  undrawn: 'The chart cannot be drawn here; these are its numbers.',
  tools: (title: string): string => `${title}: numbers and files`,
  showChart: 'Chart',
  showNumbers: 'Numbers',
  saveAs: (kind: string): string => `Save as ${kind.toUpperCase()}`,
  numbersOf: (title: string): string => `Numbers of ${title}`,
  firstRows: (shown: number, all: number): string => `The first ${shown} of ${all} rows; the CSV file has them all.`,
}
