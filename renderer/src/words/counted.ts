/** "1 run", "2 runs", of a count in words. */
export const counted = (count: string, one: string, many = `${one}s`): string =>
  `${count} ${count === '1' ? one : many}`
