import { shortened, writeOutput } from '../../workers/base/output-file.ts'
import { resultEndings } from '../../workers/contract/result.ts'
import { exportEndings } from '../../workers/contract/jobs.ts'
import type { DownloadRequest } from '../contract/files.ts'
import type { ServicePort } from './answer.ts'

/** File systems take 255 bytes. */
const NAME_BYTES = 180

export function nameOf(request: DownloadRequest): string {
  switch (request.what) {
    case 'result':
      return safe(`${request.stem ?? request.run}.${resultEndings[request.format]}`)
    case 'record':
      return safe(`${request.stem ?? request.run}.run.json`)
    case 'graph':
      return safe(`${request.dataset}.${exportEndings[request.format]}${request.gzip === true ? '.gz' : ''}`)
    case 'text':
      return safe(request.fileName)
  }
}

/** Returns all files, the one asked for first. */
export async function takeOut(service: ServicePort, request: DownloadRequest, path: string): Promise<string[]> {
  switch (request.what) {
    case 'result': {
      const { what: _what, stem: _stem, ...wanted } = request
      const { outcome, recordFile } = await service.call('export', { ...wanted, output: path })
      return [...outcome.files, ...(recordFile === null ? [] : [recordFile])]
    }
    case 'record': {
      const { record } = await service.call('runs.record', { run: request.run })
      return written(path, `${JSON.stringify(record, null, 2)}\n`)
    }
    case 'graph': {
      const { what: _what, dataset: name, ...wanted } = request
      return [...(await service.call('datasets.export', { ...wanted, name, output: path })).files]
    }
    case 'text':
      return written(path, Buffer.from(request.text, request.encoding ?? 'utf8'))
  }
}

function written(path: string, content: string | Buffer): string[] {
  writeOutput(path, content)
  return [path]
}

export function safe(name: string): string {
  const plain = name.replace(/[/\\:*?"<>|\p{Cc}]+/gu, '-').replace(/^[-.\s]+|[.\s]+$/g, '')
  return shortened(plain, NAME_BYTES).replace(/^[-.\s]+/, '') || 'file'
}
