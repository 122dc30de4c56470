import type { CallArgs } from '../../../electron/contract/calls.ts'
import { ask } from '../connection.ts'
import { useToasts } from '../stores/toasts.ts'
import { words } from '../words/words.ts'

/** Gives the person a result, a record or a graph: the window asks where to save it, a browser downloads it. */
export async function takeOut(request: CallArgs<'export.download'>['request']): Promise<void> {
  const answer = await ask('export.download', { request })
  if (answer.how === 'saved') for (const file of answer.files) useToasts().show(words.run.saved(file))
  if (answer.how !== 'download') return
  for (const { url, fileName } of answer.downloads) {
    const link = document.createElement('a')
    link.href = url
    link.download = fileName
    link.click()
  }
}
