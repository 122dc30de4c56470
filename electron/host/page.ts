import { readFile } from 'node:fs/promises'
import { extname, join, normalize, sep } from 'node:path'

/** A scheme of its own: an origin, response headers, no file access. */
export const pageScheme = 'anticlique'
export const pageOrigin = `${pageScheme}://app`
export const pageUrl = `${pageOrigin}/index.html`

export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

/** null for an address out of it or of another origin. */
export function pageFile(folder: string, address: string): string | null {
  const url = new URL(address)
  if (`${url.protocol}//${url.host}` !== pageOrigin) return null
  let path: string
  try {
    path = decodeURIComponent(url.pathname)
  } catch {
    return null
  }
  if (path.includes('\0')) return null
  const file = normalize(join(folder, path === '/' ? 'index.html' : path))
  return file.startsWith(normalize(folder) + sep) ? file : null
}

export async function respondWithPage(folder: string, address: string): Promise<Response> {
  const file = pageFile(folder, address)
  const type = file === null ? undefined : contentTypes[extname(file)]
  if (file === null || type === undefined) return new Response('not found', { status: 404 })
  try {
    const body = new Uint8Array(await readFile(file))
    return new Response(body, {
      headers: {
        'content-type': type,
        'content-security-policy': contentSecurityPolicy,
        'x-content-type-options': 'nosniff',
      },
    })
  } catch {
    return new Response('not found', { status: 404 })
  }
}

/** Its scheme, and Vite's dev server when not packaged. */
export function trustedOrigins(devServer: string | undefined, packaged: boolean): readonly string[] {
  return packaged || devServer === undefined ? [pageOrigin] : [pageOrigin, new URL(devServer).origin]
}

/** `URL.origin` is "null" for own schemes. */
export function isTrusted(address: string, origins: readonly string[]): boolean {
  if (!URL.canParse(address)) return false
  const url = new URL(address)
  return origins.includes(`${url.protocol}//${url.host}`)
}
