import { pathToFileURL } from 'node:url'
import { join } from 'node:path'
import { SHARE_ENV, Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'

const source = pathToFileURL(join(import.meta.dirname, '../../../workers/device/vulkan-loader.ts')).href

/** A thread that does `body` with what bind-environment.ts exports, and posts what it returns. */
function inThread(body: string, env?: typeof SHARE_ENV): Promise<unknown> {
  const code = `
    const { parentPort } = require('node:worker_threads')
    import(${JSON.stringify(source)}).then(async ({ environmentIsReal, withEnvironment }) => {
      parentPort.postMessage(await (async () => { ${body} })())
    })`
  const worker = new Worker(code, { eval: true, ...(env === undefined ? {} : { env }) })
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}

test('native code sees what a thread writes only if the thread shares the environment', async () => {
  expect(await inThread('return environmentIsReal()', SHARE_ENV)).toBe(true)
  expect(await inThread('return environmentIsReal()')).toBe(false)
})

test('values hold while the work lasts and are put back, also when it fails', async () => {
  const body = `
    process.env.KEPT_HERE = 'before'
    delete process.env.NEW_HERE
    const see = () => [process.env.KEPT_HERE, process.env.NEW_HERE]
    const during = await withEnvironment({ KEPT_HERE: undefined, NEW_HERE: 'now' }, async () => see())
    await withEnvironment({ NEW_HERE: 'now' }, async () => { throw new Error('no') }).catch(() => {})
    return [during, see()]`
  expect(await inThread(body)).toEqual([
    [undefined, 'now'],
    ['before', undefined],
  ])
})

test('one thread at a time: eight that share the environment never see the value of another', async () => {
  const body = (own: number): string => `
    let strange = 0
    for (let i = 0; i < 60; i++)
      await withEnvironment({ SHARED_HERE: '${own}' }, async () => {
        await new Promise((resolve) => setTimeout(resolve, 1))
        if (process.env.SHARED_HERE !== '${own}') strange++
      })
    return strange`
  const threads = Array.from({ length: 8 }, (_, own) => inThread(body(own), SHARE_ENV))
  expect(await Promise.all(threads)).toEqual(Array(8).fill(0))
})
