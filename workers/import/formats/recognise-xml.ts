import { extname } from 'node:path'
import type { DetectedFormat } from './detect-format.ts'

/** Bytes in which the root element must begin. */
export const XML_HEAD_BYTES = 64 << 10

/** GraphML and GEXF by their root element, before which there may be comments and a document type; else by a name that promises it. */
export function recogniseXml(head: Uint8Array, name: string): DetectedFormat | null {
  const text = Buffer.from(head.subarray(0, XML_HEAD_BYTES))
    .toString('utf8')
    .replace(/<!--[\s\S]*?-->/g, '')
  const root = /^\ufeff?\s*</.test(text) ? /<(?:[\w.-]+:)?(graphml|gexf)[\s>/]/.exec(text)?.[1] : undefined
  if (root === 'graphml' || root === 'gexf') return { format: root, reason: `its root element is ${root}` }
  const extension = extname(name.replace(/\.(gz|bgz)$/i, '')).toLowerCase()
  if (extension !== '.graphml' && extension !== '.gexf') return null
  return { format: extension === '.gexf' ? 'gexf' : 'graphml', reason: `the file's name ends in ${extension}` }
}
