import { expect, test, vi } from 'vitest'
import { answer, type ServicePort } from '../../../electron/host/answer.ts'
import { Failure } from '../../../workers/base/failure.ts'

function serviceThat(call: (name: string, args: unknown) => Promise<unknown>): ServicePort {
  return { call: call as ServicePort['call'], listen: () => () => {}, close: () => Promise.resolve() }
}

test('a call that fits is done, with checked arguments', async () => {
  const call = vi.fn<(name: string, args: unknown) => Promise<unknown>>(() => Promise.resolve({ runs: [] }))
  expect(await answer(serviceThat(call), 'runs.get', { run: 'latest', stray: 1 })).toEqual({
    ok: true,
    result: { runs: [] },
  })
  expect(call).toHaveBeenCalledExactlyOnceWith('runs.get', { run: 'latest' }, undefined)
})

test.each([['constructor'], ['__proto__'], ['runs.nothing'], [7], [null]])('%j is no call', async (name) => {
  const call = vi.fn<(name: string, args: unknown) => Promise<unknown>>()
  expect(await answer(serviceThat(call), name, {})).toMatchObject({ ok: false, failure: { code: 'usage' } })
  expect(call).not.toHaveBeenCalled()
})

test('arguments that do not fit are refused by name', async () => {
  const call = vi.fn<(name: string, args: unknown) => Promise<unknown>>()
  const reply = await answer(serviceThat(call), 'runs.get', { run: 7 })
  expect(reply).toMatchObject({ ok: false, failure: { code: 'usage', where: 'runs.get.run' } })
  expect(call).not.toHaveBeenCalled()
})

test('an expected failure keeps its words', async () => {
  const failure = { code: 'input', what: 'there is no run "x"', where: undefined, remedy: 'List them.' } as const
  const service = serviceThat(() => Promise.reject(new Failure(failure)))
  expect(await answer(service, 'runs.get', { run: 'x' })).toEqual({ ok: false, failure })
})

test('a bug becomes a failure and is logged', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const service = serviceThat(() => Promise.reject(new TypeError('undefined is not a graph')))
  const reply = await answer(service, 'runs.list', {})
  expect(reply).toMatchObject({ ok: false, failure: { code: 'fault', what: 'undefined is not a graph' } })
  expect(log).toHaveBeenCalledOnce()
  log.mockRestore()
})
