/** Options before the command that take a value. */
const WITH_VALUE = ['--library']

/**
 * The command that these arguments name, or ask help for; undefined where they name none.
 * @param argv without the program's own name
 */
export function commandName(argv: readonly string[]): string | undefined {
  const [name, next] = operandsOf(argv)
  return name === 'help' ? next : name
}

/** What is neither an option before the command nor its value. */
export function operandsOf(argv: readonly string[]): readonly string[] {
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at]!
    if (WITH_VALUE.includes(word)) at++
    else if (!word.startsWith('-')) return argv.slice(at)
  }
  return []
}
