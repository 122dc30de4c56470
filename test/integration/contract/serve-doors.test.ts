import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import { MAX_MESSAGE_BYTES } from '../../../electron/contract/check.ts'
import { served } from './hosts.ts'
import { ServedWorkbench } from './served-workbench.ts'

let door: ServedWorkbench
let bench: ServedWorkbench['bench']
let url: URL
let scratch: string
let cookie: string

const http: ServedWorkbench['http'] = (...asked) => door.http(...asked)
const expectAlive = (): Promise<void> => door.expectAlive()

beforeAll(async () => {
  door = await ServedWorkbench.open()
  ;({ bench, url, scratch, cookie } = door)
})
afterAll(() => door.close())

/** Whether a socket opens; else the status that it is refused with. */
function knock(options: WebSocket.ClientOptions, protocols = ['anticlique'], path = '/socket'): Promise<string> {
  const socket = new WebSocket(`ws://${url.host}${path}`, protocols, options)
  return new Promise((resolve) => {
    socket.on('open', () => {
      socket.close()
      resolve('open')
    })
    socket.on('error', ({ message }) => resolve(/\d{3}/.exec(message)?.[0] ?? message))
  })
}

describe('who may come in', () => {
  test('it listens on this machine alone, and the link holds a token of its own', async () => {
    expect(url.hostname).toBe('127.0.0.1')
    expect(url.searchParams.get('token')).toMatch(/^[\w-]{43}$/)
    const other = await served(bench.service, `${scratch}-2`)
    expect(new URL(other.url).searchParams.get('token')).not.toBe(url.searchParams.get('token'))
    await other.close()
  })

  test('the token gives a cookie that no script reads and no other site sends, and leaves the address', async () => {
    const { status, headers } = await http(url.pathname + url.search)
    expect(status).toBe(303)
    expect(headers.location).toBe('/')
    expect(headers['set-cookie']![0]).toMatch(/; HttpOnly; SameSite=Strict; Path=\/$/)
    expect(headers['set-cookie']![0]).not.toContain(url.searchParams.get('token'))
    for (const token of ['', 'x', `${url.searchParams.get('token')}x`])
      expect((await http(`/?token=${token}`)).headers['set-cookie']).toBeUndefined()
  })

  test('a foreign Host is refused, whatever it asks for', async () => {
    for (const host of ['evil.example', `evil.example:${url.port}`, '127.0.0.1:1'])
      for (const path of ['/', `/${url.search}`, '/session'])
        expect((await http(path, { host, cookie })).status).toBe(403)
    expect((await http('/', { host: `LOCALHOST:${url.port}` })).status).toBe(200)
  })

  test('a socket needs the token or the cookie, and our own page', async () => {
    const token = `token.${url.searchParams.get('token')}`
    expect(await knock({})).toBe('403')
    expect(await knock({ origin: url.origin })).toBe('401')
    expect(await knock({}, ['anticlique', 'token.wrong'])).toBe('403')
    expect(await knock({ origin: url.origin }, ['anticlique', 'token.wrong'])).toBe('401')
    expect(await knock({ origin: 'http://evil.example', headers: { cookie } })).toBe('403')
    expect(await knock({ origin: 'http://evil.example' }, ['anticlique', token])).toBe('403')
    expect(await knock({ origin: 'null', headers: { cookie } })).toBe('403')
    expect(await knock({ headers: { cookie, host: 'evil.example' }, origin: url.origin })).toBe('403')
    expect(await knock({ headers: { cookie } }, undefined, '/other')).toBe('404')
    expect(await knock({ headers: { cookie }, origin: url.origin })).toBe('open')
    expect(await knock({}, ['anticlique', token])).toBe('open')
    await expectAlive()
  })
})

describe('what it shows', () => {
  test('the page, with a policy that allows nothing inline and nothing from elsewhere', async () => {
    const { status, headers, text } = await http('/')
    expect(status).toBe(200)
    expect(text).toContain('<div id="app">')
    const policy = headers['content-security-policy'] as string
    expect(policy).toMatch(/default-src 'none'/)
    expect(policy).not.toMatch(/unsafe|http|\*/)
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' })
  })

  test.each([
    '/../main/cli.js',
    '/..%2fmain/cli.js',
    '/%2e%2e/main/cli.js',
    '/assets/../../main/cli.js',
    '/..\\main\\cli.js',
    '/assets/%00',
    '/%ff',
    '//',
    '/etc/passwd',
    '/download/../../etc/passwd',
  ])('%s is not there', async (path) => {
    const { status, text } = await http(path, { cookie })
    expect([400, 404]).toContain(status)
    expect(text.length).toBeLessThan(200)
  })
})

describe('who holds many connections', () => {
  const held: Socket[] = []
  /** Never ends its own half. */
  const hold = (first: string): Promise<void> =>
    new Promise((resolve) => {
      const socket = connect({ port: Number(url.port), host: '127.0.0.1', allowHalfOpen: true })
      socket.on('error', () => {}).resume()
      socket.once('connect', () => socket.write(first, () => resolve()))
      held.push(socket)
    })
  /** Those that the other side has not forgotten: what is written to one that it has is answered with a reset. */
  const known = (): number => {
    for (const socket of held) if (!socket.closed) socket.write('x')
    return held.filter((socket) => !socket.closed).length
  }
  afterEach(() => held.splice(0).forEach((socket) => socket.destroy()))

  test.each([
    ['half a header', 'GET / HTTP/1.1\r\nX: '],
    ['an upgrade that is refused', 'GET /socket HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'],
    ['nothing at all', ''],
  ])('with %s keeps nobody out', async (_words, first) => {
    for (let i = 0; i < 200; i++) await hold(first)
    // Those of before have gone; 32 of one client may stay.
    await expect.poll(known).toBeLessThanOrEqual(32)
    expect((await http('/session', { cookie })).status).toBe(204)
    expect(await knock({ headers: { cookie }, origin: url.origin })).toBe('open')
    // Who is in stays in.
    await expectAlive()
  })

  test('a header that does not come to its end is waited for a while only', async () => {
    const impatient = await served(bench.service, `${scratch}-3`, { headersMs: 200 })
    const { port } = new URL(impatient.url)
    for (const first of ['', 'GET / HTTP/1.1\r\nX: ']) {
      const socket = connect(Number(port), '127.0.0.1', () => socket.write(first))
      socket.on('error', () => {})
      await once(socket.resume(), 'close')
    }
    await impatient.close()
  })
})

test('a message over the limit ends its connection before it is read', async () => {
  const token = `token.${url.searchParams.get('token')}`
  const socket = new WebSocket(`ws://${url.host}/socket`, ['anticlique', token])
  await once(socket, 'open')
  // What is left out of the arguments would be small enough for the contract.
  socket.send(JSON.stringify({ id: 1, name: 'runs.list', args: {}, more: 'x'.repeat(MAX_MESSAGE_BYTES + (2 << 20)) }))
  // Without the limit it would be answered, or passed over in silence.
  socket.send(JSON.stringify({ id: 2, name: 'runs.list', args: {} }))
  const ended = once(socket, 'close').then(([code]) => code as number)
  const answered = once(socket, 'message').then(() => 'open')
  expect(await Promise.race([ended, answered])).toBe(1009)
  await expectAlive()
})

test('a link to another address of this machine opens', async () => {
  const other = await served(bench.service, `${scratch}-4`, { host: '127.0.0.2' })
  expect(new URL(other.url).hostname).toBe('127.0.0.2')
  const answer = await fetch(other.url, { redirect: 'manual' })
  expect(answer.status).toBe(303)
  await other.close()
})
