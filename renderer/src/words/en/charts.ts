export const charts = {
  timelineHelp:
    'Arrows, Home and End go from span to span, + and - zoom, 0 shows all. The bar and Ctrl + wheel zoom too.',
  span: (span: {
    readonly lane: string
    readonly kind: string
    readonly name: string
    readonly lasted: string
    readonly from: string
    readonly number: number
    readonly count: number
  }): string =>
    `${span.lane}, ${span.kind}: ${span.name}, ${span.lasted} from ${span.from} (${span.number} of ${span.count})`,
  undrawn: 'The chart cannot be drawn here; these are its numbers.',
  tools: (title: string): string => `${title}: numbers and files`,
  showChart: 'Chart',
  showNumbers: 'Numbers',
  saveAs: (kind: string): string => `Save as ${kind.toUpperCase()}`,
  numbersOf: (title: string): string => `Numbers of ${title}`,
  firstRows: (shown: number, all: number): string => `The first ${shown} of ${all} rows; the CSV file has them all.`,
}
