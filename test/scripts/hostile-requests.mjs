// What hostile-serve.mjs sends: for each kind the parts of one connection, made at random. `isOurs`: it has the secret, so answers are due.
import { calls } from '../../electron/contract/calls.ts'

const crlf = '\r\n'
const head = (first, headers) => `${[first, ...headers].join(crlf)}${crlf}${crlf}`
const bytesOf = (random, n) => Buffer.from(Array.from({ length: n }, () => random(256)))
const oneOf = (random, list) => list[random(list.length)]

function upgrade(place, more = []) {
  return head('GET /socket HTTP/1.1', [
    `Host: ${place.host}`,
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Version: 13',
    ...more,
  ])
}
const withToken = (place) => upgrade(place, [`Sec-WebSocket-Protocol: anticlique, token.${place.token}`])

/** A frame of RFC 6455, section 5.2, whose head says what it is told to. */
function frame(payload, { first = 0x81, masked = true, length = payload.length } = {}) {
  const bit = masked ? 0x80 : 0
  const size =
    length < 126
      ? Buffer.from([bit | length])
      : length < 65536
        ? Buffer.from([bit | 126, length >> 8, length & 255])
        : Buffer.concat([Buffer.from([bit | 127, 0, 0]), Buffer.from(length.toString(16).padStart(12, '0'), 'hex')])
  return Buffer.concat([Buffer.from([first]), size, Buffer.alloc(masked ? 4 : 0), Buffer.from(payload)])
}

const texts = [
  '',
  '../../../etc/passwd',
  '/etc/passwd',
  '\0',
  'x'.repeat(70_000),
  '名'.repeat(3000),
  "'; DROP TABLE runs; --",
  '<script>',
  '-1',
  '%s%n',
]
function madValue(random, depth = 0) {
  const simple = [null, true, -1, 2 ** 53, 1e308, -0.5, oneOf(random, texts), [], {}]
  if (depth > 3 || random(3) > 0) return oneOf(random, simple)
  if (random(2) === 0) return Array.from({ length: random(5) }, () => madValue(random, depth + 1))
  const names = ['name', 'run', 'request', 'dataset', 'source', 'output', '__proto__', 'constructor', 'of', 'settings']
  return Object.fromEntries(
    Array.from({ length: random(5) }, () => [oneOf(random, names), madValue(random, depth + 1)]),
  )
}
/** What would change or take long by itself is asked with nonsense alone, which these do not refuse. */
const harmless = Object.keys(calls).filter(
  (name) => !/^(devices|datasets\.clean|datasets\.sample|settings\.set)/.test(name),
)
function madCall(random) {
  const nested = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
  return oneOf(random, [
    () => JSON.stringify({ id: random(100), name: oneOf(random, harmless), args: madValue(random) }),
    () => JSON.stringify({ id: madValue(random), name: madValue(random), args: madValue(random) }),
    () => JSON.stringify(madValue(random)),
    () => `{"id":1,"name":"runs.list","args":${nested}}`,
    () => '{"id":1,"name":"__proto__","args":{"__proto__":{"polluted":true}}}',
    () => '{"id":1,"name":"runs.list"',
    () => bytesOf(random, 200).toString('latin1'),
  ])()
}

const paths = [
  '/../main/cli.js',
  '/..%2f..%2fpackage.json',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/assets/..\\..\\main\\cli.js',
  '/download/../../etc/passwd',
  '//etc/passwd',
  '/%00',
  '/%ff%fe',
  '/download/%2e%2e%2flibrary.sqlite',
  '/?token=',
  '/?token=%00',
  'http://evil.example/',
  '*',
  '/help/../../main/cli.js',
  `/${'a'.repeat(9000)}`,
]

export const attacks = {
  'random bytes': (_place, random) => ({ parts: [bytesOf(random, 1 + random(3000))] }),
  'a path out of the page': (place, random) => ({
    parts: [
      head(
        `${oneOf(random, ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'TRACE', 'OPTIONS', 'CONNECT', 'PROPFIND', 'X'])} ${oneOf(random, paths)} HTTP/1.${random(3)}`,
        [`Host: ${place.host}`, ...(random(2) ? [`Cookie: ${place.cookie}`] : [])],
      ),
    ],
  }),
  'another host or origin': (place, random) => ({
    parts: [
      head(`${oneOf(random, ['GET /', 'POST /upload', 'GET /session', `GET /?token=${place.token}`])} HTTP/1.1`, [
        `Host: ${oneOf(random, ['evil.example', '127.0.0.1:1', '', '127.0.0.1.evil.example', 'localhost'])}`,
        `Cookie: ${place.cookie}`,
        `Origin: ${oneOf(random, ['null', 'http://evil.example', `${place.origin}.evil.example`])}`,
      ]),
    ],
  }),
  'huge headers': (place, random) => ({
    parts: [
      `GET / HTTP/1.1${crlf}Host: ${place.host}${crlf}`,
      ...Array.from({ length: 30 }, (_, i) => `X-${i}: ${'x'.repeat(random(9000))}${crlf}`),
      crlf,
    ],
  }),
  'a body without the secret': (place, random) => ({
    parts: [
      head('POST /upload HTTP/1.1', [
        `Host: ${place.host}`,
        `Origin: ${place.origin}`,
        `Content-Length: ${oneOf(random, ['10000000000', '-1', '1e9', '9'.repeat(30), '5, 6'])}`,
      ]),
      ...Array.from({ length: 4 }, () => Buffer.alloc(1 << 16)),
    ],
  }),
  'an upload that breaks off': (place, random) => ({
    parts: [
      head('POST /upload HTTP/1.1', [
        `Host: ${place.host}`,
        `Origin: ${place.origin}`,
        `Cookie: ${place.cookie}`,
        `X-File-Name: ${oneOf(random, ['a.txt', '..%2f..%2fevil', '%00', '%', 'x'.repeat(3000)])}`,
        oneOf(random, [
          'Content-Length: 1000000',
          'Transfer-Encoding: chunked',
          `Content-Length: 5${crlf}Transfer-Encoding: chunked`,
          'Transfer-Encoding: gzip, chunked',
        ]),
      ]),
      oneOf(random, ['1 2\n', `zz${crlf}1 2`, `ffffffffffffffff${crlf}1`, `5${crlf}1 2\n3${crlf}`]),
    ],
    isOurs: true,
  }),
  'a header by the byte': (place, random) => ({
    parts: [...head('GET / HTTP/1.1', [`Host: ${place.host}`]).slice(0, 5 + random(40))],
    everyMs: 1,
  }),
  'an upgrade without the secret': (place, random) => ({
    parts: [
      upgrade(
        place,
        oneOf(random, [
          [],
          [`Origin: ${place.origin}`],
          ['Origin: null', `Cookie: ${place.cookie}`],
          ['Sec-WebSocket-Protocol: anticlique, token.x', `Origin: ${place.origin}`],
        ]),
      ),
      frame('{"id":1,"name":"datasets.list","args":{}}'),
    ],
  }),
  'a broken upgrade': (place, random) => ({
    parts: [
      withToken(place).replace(/Key: .*|Version: 13/, () => oneOf(random, ['Key: x', 'Version: 0', 'X: y'])),
      bytesOf(random, 300),
    ],
    isOurs: true,
  }),
  'broken frames': (place, random) => ({
    parts: [
      withToken(place),
      oneOf(random, [
        () => frame('x', { first: 0x80 | random(16) }),
        () => frame('x', { first: 0xf1 }),
        () => frame('{"id":1}', { masked: false }),
        () => frame('x'.repeat(200), { first: 0x89 }),
        () => frame('x', { length: 2 ** 40 }),
        () => frame([0xc3, 0x28], {}),
        () => frame([0, 1], { first: 0x88 }),
        () => frame('x', { first: 0x00 }),
        () => Buffer.concat(Array.from({ length: 2000 }, () => frame('', { first: 0x89 }))),
        () => Buffer.concat([frame('{', { first: 0x01 }), frame('{"id":1}')]),
        () => bytesOf(random, 500),
      ])(),
    ],
    isOurs: true,
  }),
  'mad calls': (place, random) => ({
    parts: [withToken(place), ...Array.from({ length: 5 }, () => frame(madCall(random)))],
    everyMs: 2,
    isOurs: true,
  }),
  'a client that never reads': (place) => ({
    parts: [
      withToken(place),
      ...Array.from({ length: 3 }, (_, i) =>
        frame(JSON.stringify({ id: i, name: 'explore.overview', args: { dataset: 'graph', limit: 1000 } })),
      ),
    ],
    isOurs: true,
  }),
}
