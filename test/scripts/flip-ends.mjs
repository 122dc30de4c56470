// How a question about a damaged library ends: as a call of the service, and as a command of the built program. For flip-bits.mjs.
import { exitCodeOf, asKnownFailure } from '../../electron/cli/failure-text.ts'
import { inPatience } from '../support/attacks.mjs'
import { commandCase } from '../support/command-case.mjs'

const PATIENCE_MS = 120_000
const FAULT = 4
/** What may break a law when a bit of it is flipped: the set or matching itself, and the database that says which it should be. */
const MAY_FAIL = ['result', 'database']
/** What is shown of a damaged course: nothing. */
const NOTHING = ['{"samples":[]}', '{"lanes":[]}']

/**
 * What came of a call, beside the answer of the sound library: `same`, `refused`, `wrong`, `hung` or `fault`, and the code that the
 * command line ends with for it.
 */
export async function endOfCall(question, kind, sound) {
  const answered = question.answer().then(
    (text) => ({ text }),
    (error) => ({ error }),
  )
  const { isHung, text, error } = await inPatience(answered, PATIENCE_MS, { isHung: true })
  if (isHung) return { end: 'hung', words: '' }
  if (error !== undefined) return ofFailure(error)
  const isRefusal = NOTHING.includes(text) || (MAY_FAIL.includes(kind) && text.includes('"verified":false'))
  if (text === sound) return { end: 'same', exit: 0, words: '' }
  const exit = text.includes('"verified":false') ? 3 : 0
  return { end: isRefusal ? 'refused' : 'wrong', exit, words: text.slice(0, 200) }
}

export function ofFailure(error) {
  const exit = exitCodeOf(asKnownFailure(error).code)
  return { end: exit >= FAULT ? 'fault' : 'refused', exit, words: `${error.code} ${error.message}` }
}

/** The same of a command, and every breach of its contract as a fault. */
export async function endOfCommand({ command }, kind, sound, library) {
  const end = await commandCase(command.words, { library: command.library?.() ?? library })
  const { code: exit, isHung, breaches, document, stderr } = end
  if (isHung) return { end: 'hung', words: stderr }
  if (breaches.length > 0) return { end: 'fault', exit, words: `${breaches.join(', ')}: ${stderr}` }
  if (exit !== 0) return { end: exit === 3 && !MAY_FAIL.includes(kind) ? 'wrong' : 'refused', exit, words: stderr }
  const text = command.text(document)
  return text === sound ? { end: 'same', exit, words: '' } : { end: 'wrong', exit, words: text.slice(0, 200) }
}
