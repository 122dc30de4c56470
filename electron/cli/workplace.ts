import { libraryLocation, keepAsPrivateAs } from '../library/location.ts'
import { Library } from '../library/library.ts'
import { mayHaveGpu } from '../pool/gpu-presence.ts'
import type { JobRunner } from '../pool/pool.ts'
import { Service } from '../service/service.ts'
import { bytes as byteText } from './text.ts'

export interface Workplace {
  readonly service: Service
  readonly library: Library
  readonly runner: JobRunner
}

export function openWorkplace(
  folder: string | undefined,
  startRunner: () => JobRunner,
  remark: (line: string) => void,
) {
  const library = Library.open(libraryLocation(folder))
  const { files, bytes } = library.retiredViews
  if (files > 0)
    remark(`Removed ${files} prepared views of version 0.1 (${byteText(bytes)}): nothing needs them any more.`)
  const endPrivacy = keepAsPrivateAs(library.folder)
  const runner = startRunner()
  const service = new Service({ library, runner, mayHaveGpu })
  const close = async (): Promise<void> => {
    await service.close()
    endPrivacy()
  }
  return { place: { service, library, runner } satisfies Workplace, close }
}
