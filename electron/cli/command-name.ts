const WITH_VALUE = ['--library']

export function commandName(argv: readonly string[]): string | undefined {
  const [name, next] = operandsOf(argv)
  return name === 'help' ? next : name
}

export function operandsOf(argv: readonly string[]): readonly string[] {
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at]!
    if (WITH_VALUE.includes(word)) at++
    else if (!word.startsWith('-')) return argv.slice(at)
  }
  return []
}
