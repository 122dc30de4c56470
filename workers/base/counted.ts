/** A count and the words that agree with it: "1 row was", "2 rows were". */
export const counted = (count: number, one: string, several: string): string =>
  `${count} ${count === 1 ? one : several}`
