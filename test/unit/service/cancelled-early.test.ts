import { expect, onTestFinished, test } from 'vitest'
import { Failure } from '../../../workers/base/failure.ts'
import { request } from '../library/fixtures.ts'
import { WiredService } from './wired-service.ts'

const wired = new WiredService()
const ended = new Failure({ code: 'engine', what: 'the engine ended', remedy: 'Run it again.' })

/** What nobody waits for, and would end the program. */
function unheard(): unknown[] {
  const errors: unknown[] = []
  const hear = (error: unknown): void => void errors.push(error)
  const others = process.listeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection').on('unhandledRejection', hear)
  onTestFinished(() => {
    process.removeAllListeners('unhandledRejection')
    for (const other of others) process.on('unhandledRejection', other)
  })
  return errors
}

test.each(['the service goes on', 'the service is closed'])(
  'a run cancelled while its devices are looked for stays cancelled when nobody can tell them: %s',
  async (then) => {
    await wired.importPath()
    const devices = Promise.withResolvers<never>()
    wired.runner.answers.devices = () => devices.promise
    const errors = unheard()
    // A search makes use of a GPU for a small graph, too.
    const { run } = await wired.service.call('runs.start', { request: request({ device: 'auto', quality: 'better' }) })
    await expect.poll(() => wired.runner.asked.at(-1)?.name).toBe('devices')
    const cancelled = await wired.service.call('runs.cancel', { run: run.id })
    expect(cancelled.run.state).toBe('cancelled')
    if (then === 'the service is closed') await wired.service.close()
    devices.reject(ended)
    // A rejection that nobody hears is told after all promises at hand.
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
    expect(errors).toEqual([])
    if (then === 'the service goes on') expect(wired.library.runs.stateOf(run.id)).toBe('cancelled')
  },
)
