/** Words of the components that all pages share. */
export const base = {
  bytesExactly: (value: string): string => `${value} bytes`,
  selectAll: 'Select all rows',
  selectRow: (name: string): string => `Select ${name}`,
  resizeColumn: (name: string): string => `Width of ${name}`,
  noMatch: 'No row matches.',
  justNow: 'just now',
  none: '–',
  copied: 'Copied',
  notANumber: 'This is not a number.',
  notASize: 'Write a size such as 512MiB or 4GiB.',
  atLeast: (least: string): string => `The least is ${least}.`,
  atMost: (most: string): string => `The most is ${most}.`,
  notWhole: 'This must be a whole number.',
  more: 'More',
  columns: 'Choose columns',
}
