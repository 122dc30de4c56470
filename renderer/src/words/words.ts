/** All texts of the page. */
export * from './en.ts'
export * as words from './en.ts'
