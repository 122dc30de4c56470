import { filesOf, type Tree } from './source-files.ts'
import { beyond, edit, file, grouped, placeOf, type Rule } from './rule.ts'

/** Private words and the field's (docs/glossary.md); only those that mean nothing else. */
const words: Readonly<Record<string, string>> = {
  'followers?': 'worker',
  'mail|mailbox(?:es)?': 'message buffer',
  'walkers?': 'scan worker',
  'crews?|teams?': 'thread pool, workgroup',
  'duty|duties': 'task, role',
  'keepers?': 'checkpointer',
  'forecasts?': 'estimate',
  'slabs?': 'section',
  'workshops?': 'scratch folder',
  'left over': 'deferred',
  'catch(?:es)? up|caught up': 'pull, synchronise',
  'goes on|gone on|go on|take up|takes up|taken up': 'resume, continue',
  'told(?! apart)': 'notified, published; says',
  'hears?|heard': 'receive',
  'sleeps?|asleep|sleepers?': 'park',
  'lies|laid|stood': 'is stored, is built, is',
  'who|whom|nobody|somebody|anybody|whoever': 'a thing with a name',
}
const any = new RegExp(`\\b(?:${Object.keys(words).join('|')})\\b`, 'g')
const fieldsWord = (word: string): string =>
  Object.entries(words).find(([pattern]) => new RegExp(`^(?:${pattern})$`).test(word.replace(/ apart$/, '')))?.[1] ?? ''

/** How often they are still there. These numbers may only shrink. */
const allowed: Readonly<Record<string, number>> = {
  docs: 2,
  'docs/decisions': 2,
  'renderer/src': 53,
  workers: 1,
  'workers/algorithms': 16,
  'workers/import': 1,
}

function* privateWords(tree: Tree): Iterable<readonly [string, string]> {
  const files = filesOf(tree, ['workers', 'kernels', 'electron', 'renderer', 'docs'], ['.ts', '.vue', '.wgsl', '.md'])
  for (const { path, text } of files) {
    // The glossary has them to say what to write instead.
    if (path === 'docs/glossary.md') continue
    for (const [index, line] of text.split('\n').entries()) {
      const plain = line.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase()
      for (const [word] of plain.matchAll(any))
        yield [placeOf(path), `${path}:${index + 1} '${word}' (${fieldsWord(word)})`]
    }
  }
}

export const fieldsWords: Rule = {
  name: "names, comments and documents use the field's words",
  broken: (tree) => beyond(grouped(privateWords(tree)), allowed, 'Use the words of docs/glossary.md.'),
  faults: [
    file('workers/planted/a.ts', 'export const scanWalker = 1\n', "workers/planted/a.ts:1 'walker' (scan worker)"),
    file('kernels/planted/a.wgsl', '// Here nobody waits.\n', "kernels/planted/a.wgsl:1 'nobody'"),
    edit('docs/architecture.md', '# Architecture', '# Architecture, and who is told', "docs/architecture.md:1 'told'"),
  ],
}
