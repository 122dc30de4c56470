import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  contentSecurityPolicy,
  isTrusted,
  pageFile,
  pageOrigin,
  respondWithPage,
  trustedOrigins,
} from '../../../electron/host/page.ts'

let folder = ''

beforeAll(async () => {
  const above = await mkdtemp(join(tmpdir(), 'anticlique-page-'))
  folder = join(above, 'renderer')
  await mkdir(folder)
  await writeFile(join(folder, 'index.html'), '<!doctype html>')
  await writeFile(join(above, 'secret.html'), 'secret')
})

afterAll(() => rm(join(folder, '..'), { recursive: true }))

test('the page comes with its policy', async () => {
  const response = await respondWithPage(folder, `${pageOrigin}/index.html`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(response.headers.get('content-security-policy')).toBe(contentSecurityPolicy)
  expect(await response.text()).toBe('<!doctype html>')
})

test('the policy lets nothing inline, evaluated or foreign in', () => {
  expect(contentSecurityPolicy).toContain("default-src 'none'")
  expect(contentSecurityPolicy).not.toMatch(/unsafe|\*|https?:/)
})

test.each([
  '/../secret.html',
  '/..%2fsecret.html',
  '/%2e%2e/secret.html',
  '/a%00.html',
  '/%',
  '/missing.html',
  '/assets',
])('%s is not found', async (path) => {
  expect((await respondWithPage(folder, pageOrigin + path)).status).toBe(404)
})

test('another host of the scheme has no files', () => {
  expect(pageFile(folder, 'anticlique://elsewhere/index.html')).toBeNull()
})

test("the dev server is trusted only where the program isn't packaged", () => {
  expect(trustedOrigins('http://localhost:5173/', false)).toEqual([pageOrigin, 'http://localhost:5173'])
  expect(trustedOrigins('http://localhost:5173/', true)).toEqual([pageOrigin])
  expect(trustedOrigins(undefined, false)).toEqual([pageOrigin])
})

test.each([
  ['anticlique://app/index.html', true],
  ['anticlique://app.example/index.html', false],
  ['https://example.org/anticlique://app', false],
  ['file:///etc/passwd', false],
  ['', false],
])('%s: trusted is %s', (address, trusted) => {
  expect(isTrusted(address, [pageOrigin])).toBe(trusted)
})
