// Resident memory of a process and of all below it, for the benchmarks. Needs /proc (Linux).
import { readFileSync, readdirSync } from 'node:fs'

function readStat(name) {
  try {
    return readFileSync(`/proc/${name}`, 'utf8')
  } catch {
    // It has ended meanwhile.
    return ''
  }
}

/** Process ids of a process and all below it. */
export function treeOf(root) {
  const children = new Map()
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const stat = readStat(`${name}/stat`)
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    children.set(parent, [...(children.get(parent) ?? []), Number(name)])
  }
  const tree = [root]
  for (let i = 0; i < tree.length; i++) tree.push(...(children.get(tree[i]) ?? []))
  return tree
}

const bytesOf = (status, field) => 1024 * Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0)

export const residentBytes = (pid) => bytesOf(readStat(`${pid}/status`), 'VmRSS')

/** Bytes of processes together: pages of files, which are those of the same program, count once. */
export function togetherBytes(pids) {
  const statuses = pids.map((pid) => readStat(`${pid}/status`))
  const own = statuses.map((status) => bytesOf(status, 'RssAnon') + bytesOf(status, 'RssShmem'))
  const files = statuses.map((status) => bytesOf(status, 'RssFile'))
  return own.reduce((sum, bytes) => sum + bytes, 0) + Math.max(...files)
}
