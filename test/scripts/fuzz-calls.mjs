// What comes of a damaged file as a call of the service, in one process: a command takes a process of its own. For fuzz-imports.mjs.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { exitCodeOf, asKnownFailure } from '../../electron/cli/failure-text.ts'
import { Failure } from '../../workers/base/failure.ts'
import { inPatience } from '../support/attacks.mjs'

const PATIENCE_MS = 180_000
const FAULT = 4
/** Memory of every import. */
export const FUZZ_MEMORY = 256 * 2 ** 20
/** Budgets of an import that the graph does not depend on. */
const SMALL = { threads: 1, memoryBytes: 1 << 20 }

/**
 * The call that is what a command does, and what is wrong with its end.
 * @param words of the command @param args of a list for the dataset "ring"
 */
export async function endOfFuzzCall(host, words, args) {
  const answered = called(host, words, args).catch((error) => endOfFailure(asKnownFailure(error)))
  const end = await inPatience(answered, PATIENCE_MS, { isHung: true })
  return { breaches: [], stderr: '', ...end, isHung: end.isHung === true }
}

const endOfFailure = ({ code, message }) => {
  const exit = exitCodeOf(code)
  return { code: exit, stderr: message, breaches: exit >= FAULT ? [`exit code ${exit}`] : [] }
}

async function called(host, words, args) {
  const [command, file, , name] = words
  const member = words.includes('--member') ? { member: words[words.indexOf('--member') + 1] } : {}
  const { service } = host
  if (command === 'verify') {
    const { verdict } = await service.call('verify', { of: 'ring', ...args })
    return { code: verdict.verified ? 0 : 3, document: verdict }
  }
  if (args !== undefined) return ofRun(host, { dataset: 'ring', ...args })
  const breaches = []
  try {
    const { dataset } = await service.call('datasets.import', {
      source: file,
      name,
      ...member,
      memoryBytes: FUZZ_MEMORY,
    })
    const end =
      command === 'run'
        ? await ofRun(host, { dataset: name })
        : { code: 0, document: { dataset: { ...dataset, edges: dataset.arcs >> 1 } }, breaches: [] }
    breaches.push(...end.breaches, ...(await otherwise(service, { source: file, ...member }, name, dataset)))
    await service.call('datasets.remove', { name })
    return { ...end, breaches }
  } finally {
    const left = readdirSync(join(host.library.folder, 'datasets')).filter((folder) => folder.startsWith(`${name}-`))
    const { remainders } = await service.call('datasets.remainders', {})
    if (left.length + remainders.length > 0) throw new Error(`left over: ${left} ${JSON.stringify(remainders)}`)
  }
}

async function ofRun(host, request) {
  const run = await host.wait(await host.start({ verify: true, ...request }))
  await host.service.call('runs.remove', { run: run.id })
  if (run.state !== 'done') throw new Failure(run.failure)
  return { code: 0, document: { verified: true }, breaches: [] }
}

/** What is wrong with the same import with one thread and little memory. */
async function otherwise(service, graph, name, { checksum }) {
  const again = await service.call('datasets.import', { ...graph, name: `${name}-again`, ...SMALL })
  await service.call('datasets.remove', { name: `${name}-again` })
  return again.dataset.checksum === checksum ? [] : ['another graph with one thread and little memory']
}
