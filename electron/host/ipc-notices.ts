import { Notification } from 'electron'
import type { Run } from '../contract/run.ts'
import type { ServicePort } from './answer.ts'

const ends: Readonly<Partial<Record<Run['state'], string>>> = {
  done: 'is done',
  failed: 'failed',
  interrupted: 'was interrupted',
}

export interface NoticeOptions {
  /** Nobody is told what they see. */
  readonly isSeen: () => boolean
  /** Shows a page of the workbench. */
  readonly open: (path: string) => void
}

/** Tells by a native notification that a run ended while the window is not looked at. Returns the function that ends it. */
export function tellEnds(service: ServicePort, { isSeen, open }: NoticeOptions): () => void {
  const atWork = new Set<string>()
  return service.listen((event) => {
    if (event.type !== 'run-changed') return
    const { id, state, name, dataset, failure } = event.run
    const end = ends[state]
    if (end === undefined) {
      // A cancel is the person's own doing: nothing to tell.
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
