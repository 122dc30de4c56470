import type { Router } from 'vue-router'
import { ask } from '../bridge.ts'

interface Wanted {
  readonly dataset: string
  readonly again?: string | undefined
  readonly keepFile?: readonly string[] | undefined
  readonly excludeFile?: readonly string[] | undefined
  readonly keepWhere?: string | undefined
  readonly excludeWhere?: string | undefined
}

/** Opens the form of a new run with lists of vertices that were chosen in the window. @throws CallFailed when they cannot be stored */
export async function runWithList(router: Router, { keepFile, excludeFile, ...query }: Wanted): Promise<void> {
  const path = async (labels: readonly string[] = []): Promise<string | undefined> =>
    labels.length === 0 ? undefined : (await ask('lists.write', { labels: [...labels] })).path
  const [keep, exclude] = await Promise.all([path(keepFile), path(excludeFile)])
  await router.push({ path: '/new-run', query: { ...query, keepFile: keep, excludeFile: exclude } })
}
