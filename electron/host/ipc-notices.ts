import { Notification } from 'electron'
import type { Run } from '../contract/run.ts'
import type { ServicePort } from './answer.ts'

const ends: Readonly<Partial<Record<Run['state'], string>>> = {
  done: 'is done',
  failed: 'failed',
  interrupted: 'was interrupted',
}

export interface NoticeOptions {
  readonly isSeen: () => boolean
  readonly open: (path: string) => void
}

/** @returns what ends it */
export function tellEnds(service: ServicePort, { isSeen, open }: NoticeOptions): () => void {
  const atWork = new Set<string>()
  return service.listen((event) => {
    if (event.type !== 'run-changed') return
    const { id, state, name, dataset, failure } = event.run
    const end = ends[state]
    if (end === undefined) {
      // The person's own doing.
      if (state === 'cancelled') atWork.delete(id)
      else atWork.add(id)
      return
    }
    if (!atWork.delete(id) || isSeen() || !Notification.isSupported()) return
    const notice = new Notification({ title: `${name ?? dataset} ${end}`, body: failure?.what ?? `Run ${id}` })
    notice.on('click', () => open(`/run/${id}`))
    notice.show()
  })
}
