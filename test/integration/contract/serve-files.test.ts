import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { served } from './hosts.ts'
import { ServedWorkbench } from './served-workbench.ts'

let door: ServedWorkbench
let bench: ServedWorkbench['bench']
let url: URL
let client: ServedWorkbench['client']
let scratch: string
let cookie: string

const http: ServedWorkbench['http'] = (...asked) => door.http(...asked)
const expectAlive = (): Promise<void> => door.expectAlive()
const mine = (extra: Record<string, string> = {}): Record<string, string> => ({ cookie, origin: url.origin, ...extra })

beforeAll(async () => {
  door = await ServedWorkbench.open()
  ;({ bench, url, client, scratch, cookie } = door)
})
afterAll(() => door.close())

test('a file of the page that is gone, as when the program was replaced, ends its request and nothing else', async () => {
  const page = join(bench.folder, 'page')
  mkdirSync(page)
  for (const name of ['index.html', 'gone.js']) writeFileSync(join(page, name), name)
  const other = await served(bench.service, `${scratch}-2`, { page })
  rmSync(join(page, 'gone.js'))
  const { origin } = new URL(other.url)
  await expect(fetch(`${origin}/gone.js`).then((answer) => answer.text())).rejects.toThrow()
  expect(await fetch(`${origin}/index.html`).then((answer) => answer.text())).toBe('index.html')
  await other.close()
})

describe('uploads', () => {
  const graph = '1 2\n2 3\n3 1\n'

  test('a file that a page sends is imported under its own name, and goes', async () => {
    const { status, text } = await http('/upload', mine({ 'x-file-name': encodeURIComponent('Straße.txt') }), graph)
    expect(status).toBe(200)
    const { source, name } = JSON.parse(text) as { source: string; name: string }
    expect(name).toBe('Straße.txt')
    expect((await client.call('datasets.preview', { source })).rows).toHaveLength(3)
    const { dataset } = await client.call('datasets.import', { source })
    expect(dataset).toMatchObject({ name: 'Straße', vertices: 3, report: { source: 'Straße.txt' } })
    expect(readdirSync(scratch)).toEqual([])
    await expect(client.call('datasets.import', { source })).rejects.toMatchObject({ code: 'input' })
  })

  test.each([
    ['without the cookie', { cookie: '' }, 401],
    ['from a foreign page', { origin: 'http://evil.example' }, 403],
    ['with a foreign Host', { host: 'evil.example' }, 403],
    ['with a size that no disk has', { 'content-length': String(2 ** 52) }, 507],
  ])('%s is refused', async (_words, headers, status) => {
    const answer = await http('/upload', mine(headers), graph).catch((error: Error) => error)
    if (!(answer instanceof Error)) expect(answer.status).toBe(status)
    else expect(answer.message).toMatch(/ECONNRESET|EPIPE|socket hang up/)
    await expectAlive()
  })

  test('a name is a name and no path', async () => {
    for (const name of ['../../evil.txt', '/etc/evil.txt', '..', 'C:\\evil.txt', '', '%00', '%']) {
      const fileName = name.startsWith('%') ? name : encodeURIComponent(name)
      const { text } = await http('/upload', mine({ 'x-file-name': fileName }), graph)
      const answer = JSON.parse(text) as { source: string; name: string }
      expect(answer.name).not.toMatch(/[/\\\p{Cc}]|^\.|^$/u)
      expect((await client.call('datasets.preview', { source: answer.source })).bytes).toBe(graph.length)
    }
    expect(existsSync(join(bench.folder, 'evil.txt'))).toBe(false)
  })

  test('a name of a hundred characters of any script fits, and keeps its extension', async () => {
    const fileName = encodeURIComponent(`${'名'.repeat(100)}.txt`)
    const { status, text } = await http('/upload', mine({ 'x-file-name': fileName }), graph)
    expect(status).toBe(200)
    const { name } = JSON.parse(text) as { name: string }
    expect(name).toMatch(/^名{50,}\.txt$/)
  })

  test('a file that is refused has its name, and not its place on this machine', async () => {
    const { text } = await http('/upload', mine({ 'x-file-name': 'empty.txt' }), '')
    const { source } = JSON.parse(text) as { source: string }
    await expect(client.call('datasets.preview', { source })).rejects.toMatchObject({ where: 'empty.txt' })
    const send = async (name: string, lines: string): Promise<string> => {
      const sent = await http('/upload', mine({ 'x-file-name': name }), lines)
      return (JSON.parse(sent.text) as { source: string }).source
    }
    const asked = { source: await send('bare.txt', graph), sources: [await send('weighed.txt', '1 2 5\n2 3 7\n')] }
    await expect(client.call('datasets.import', asked)).rejects.toMatchObject({
      where: 'weighed.txt:1',
      what: 'this file has weights, and bare.txt has none',
    })
    await expect(client.call('datasets.import', { source })).rejects.toMatchObject({ where: 'empty.txt' })
    const { work } = await client.call('work.list', {})
    const card = work.find(({ name }) => name === 'empty.txt')
    expect(card).toMatchObject({ state: 'failed', failure: { where: 'empty.txt' } })
    await vi.waitFor(() => expect(client.events).toContainEqual({ type: 'work-changed', work: card }))
  })

  test('room is counted once for all that arrive together', async () => {
    const { bavail, bsize } = await statfs(bench.folder)
    const size = Math.floor(bavail * bsize * 0.6)
    // Announced, and not sent yet.
    const lines = ['POST /upload HTTP/1.1', `Host: ${url.host}`, `Origin: ${url.origin}`, `Cookie: ${cookie}`]
    const before = readdirSync(scratch).length
    const first = connect(Number(url.port), '127.0.0.1')
    first.write(`${[...lines, 'X-File-Name: a.txt', `Content-Length: ${size}`].join('\r\n')}\r\n\r\n1 2\n`)
    await expect.poll(() => readdirSync(scratch).length).toBe(before + 1)
    const second = await http('/upload', mine({ 'x-file-name': 'b.txt', 'content-length': String(size) }), graph).catch(
      (error: Error) => error,
    )
    if (second instanceof Error) expect(second.message).toMatch(/ECONNRESET|EPIPE|socket hang up/)
    else expect(second).toMatchObject({ status: 507, text: expect.stringMatching(/MiB of them for other uploads/) })
    first.destroy()
    await expect.poll(() => readdirSync(scratch).length).toBe(before)
    await expectAlive()
  })

  test('one that breaks off leaves nothing', async () => {
    const before = readdirSync(scratch)
    const socket = connect(Number(url.port), '127.0.0.1')
    const lines = ['POST /upload HTTP/1.1', `Host: ${url.host}`, `Origin: ${url.origin}`, `Cookie: ${cookie}`]
    socket.write(`${[...lines, 'X-File-Name: half.txt', 'Content-Length: 1000'].join('\r\n')}\r\n\r\n1 2\n`)
    await expect.poll(() => readdirSync(scratch).length).toBe(before.length + 1)
    socket.destroy()
    await expect.poll(() => readdirSync(scratch)).toEqual(before)
    await expectAlive()
  })
})

describe('downloads', () => {
  const asked = { what: 'text', fileName: 'sizes "1".csv', text: 'a,b\n1,2\n' } as const

  test('each address works once, for who has the cookie', async () => {
    const taken = await client.call('export.download', { request: asked })
    if (taken.how !== 'download') throw new Error('this is no window')
    const [{ url: path, bytes, fileName }] = taken.downloads as [(typeof taken.downloads)[number]]
    expect(fileName).toBe('sizes -1-.csv')
    expect((await http(path)).status).toBe(401)
    const got = await http(path, { cookie })
    expect(got).toMatchObject({ status: 200, text: asked.text })
    expect(got.headers).toMatchObject({ 'content-length': String(bytes), 'cache-control': 'no-store' })
    expect(got.headers['content-disposition']).toMatch(/^attachment; filename\*=UTF-8''/)
    expect((await http(path, { cookie })).status).toBe(404)
  })

  test('a client that closes, before or after the last byte, is no fault', async () => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => {})
    const large = { ...asked, text: 'a,b\n'.repeat(1 << 20) }
    for (let turn = 0; turn < 12; turn++) {
      const request = turn % 2 === 0 ? large : asked
      const taken = await client.call('export.download', { request })
      if (taken.how !== 'download') throw new Error('this is no window')
      const socket = connect(Number(url.port), '127.0.0.1')
      socket.write(`GET ${taken.downloads[0]!.url} HTTP/1.1\r\nHost: ${url.host}\r\nCookie: ${cookie}\r\n\r\n`)
      await new Promise((resolve) => socket.once('data', resolve))
      socket.destroy()
      await expectAlive()
    }
    // What was asked for lies in the folder until it was sent.
    await expect
      .poll(() => readdirSync(scratch, { recursive: true }).filter((name) => /\.csv$/.test(String(name))))
      .toEqual([])
    expect(said.mock.calls).toEqual([])
    said.mockRestore()
  })

  test('a graph leaves with the labels beside it', async () => {
    const request = { what: 'graph', dataset: 'Straße', format: 'matrix-market' } as const
    const taken = await client.call('export.download', { request })
    if (taken.how !== 'download') throw new Error('this is no window')
    for (const { url: path } of taken.downloads) expect((await http(path, { cookie })).status).toBe(200)
    expect(taken.downloads[0]!.fileName).toBe('Straße.mtx')
  })
})

describe('what a page may do on the machine', () => {
  test('a run that failed by a file that was sent has the name of the file, then and later', async () => {
    const { text } = await http('/upload', mine({ 'x-file-name': 'kept.txt' }), 'nobody\n')
    const { source } = JSON.parse(text) as { source: string }
    const choice = { algorithm: 'ecl-mis', device: 'cpu:0', priority: 'degree', seed: 0, verify: false } as const
    const request = { dataset: 'Straße', ...choice, keepFile: source }
    const { run } = await client.call('runs.start', { request })
    const { run: ended } = await client.call('runs.wait', { run: run.id })
    const { run: again } = await client.call('runs.get', { run: run.id })
    const { runs } = await client.call('runs.list', {})
    const listed = runs.find(({ id }) => id === run.id)
    for (const one of [ended, again, listed]) {
      expect(one?.state).toBe('failed')
      const said = JSON.stringify(one?.failure)
      expect(said).toContain('kept.txt')
      expect(said).not.toContain(bench.folder)
      expect(said).not.toContain(scratch)
    }
    await client.call('runs.remove', { run: run.id })
  })

  test('the record of a run names a list that was sent, and no folder of the server', async () => {
    const part = { text: '', sort: 'id', down: false, offset: 0, limit: 1 } as const
    const [vertex] = (await client.call('explore.vertices', { dataset: 'Straße', ...part })).rows
    const { text } = await http('/upload', mine({ 'x-file-name': 'kept.txt' }), `${vertex!.label}\n`)
    const { source } = JSON.parse(text) as { source: string }
    const choice = { algorithm: 'ecl-mis', device: 'cpu:0', priority: 'degree', seed: 0, verify: false } as const
    const { run } = await client.call('runs.start', { request: { dataset: 'Straße', ...choice, keepFile: source } })
    const { record } = (await client.call('runs.wait', { run: run.id })).run
    expect(record?.request).toMatchObject({ keepFile: 'kept.txt' })
    expect(record?.lists?.['keepFile']?.text).toBe(`${vertex!.label}\n`)
    await client.call('runs.remove', { run: run.id })
  })

  test('it writes no file where it says', async () => {
    const output = join(bench.folder, 'written')
    const choice = { algorithm: 'ecl-mis', device: 'cpu:0', priority: 'degree', seed: 0, verify: false } as const
    const request = { dataset: 'Straße', ...choice }
    for (const ask of [
      () => client.call('datasets.export', { name: 'Straße', format: 'metis', output }),
      () => client.call('export', { run: 'latest', format: 'ids', output }),
      () => client.call('runs.start', { request: { ...request, verify: false, traceFile: output } }),
    ])
      await expect(ask()).rejects.toMatchObject({ code: 'usage' })
    expect(existsSync(output)).toBe(false)
  })

  test('it has pairs checked as the command line has', async () => {
    const pairs = join(bench.folder, 'pairs.txt')
    const claim = { of: 'Straße', pairs, ties: 'id', weights: 'unit' } as const
    // Of a triangle whose edges weigh the same, the one between the larger ids comes first.
    for (const [line, verdict] of [
      ['2 3\n', { verified: true, size: 1, weight: 1 }],
      ['1 2\n', { verified: false, law: 'locally-dominant' }],
    ] as const) {
      writeFileSync(pairs, line)
      expect(await client.call('verify', claim)).toMatchObject({ set: pairs, verdict })
    }
  })

  test('it imports files of the machine, which stay', async () => {
    const source = join(bench.folder, 'here.txt')
    writeFileSync(source, '1 2\n')
    await client.call('datasets.import', { source })
    expect(readFileSync(source, 'utf8')).toBe('1 2\n')
    await expectAlive()
  })
})
