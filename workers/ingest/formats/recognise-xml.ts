import type { DetectedFormat } from '../detect-format.ts'
import type { StoredFile } from './stored-file.ts'

const HEAD_BYTES = 64 << 10

/** GraphML and GEXF by their root element; the prolog before it may hold comments and a document type. */
export function recogniseXml(file: StoredFile): DetectedFormat | null {
  const head = Buffer.from(file.head(HEAD_BYTES)).toString('utf8')
  if (!/^\ufeff?\s*</.test(head)) return null
  const root = /<(?:[\w.-]+:)?(graphml|gexf)[\s>/]/.exec(head.replace(/<!--[\s\S]*?-->/g, ''))?.[1]
  if (root === 'graphml' || root === 'gexf') return { format: root, reason: `its root element is ${root}` }
  return null
}
