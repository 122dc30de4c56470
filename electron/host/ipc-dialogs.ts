import { dialog, type BrowserWindow, type OpenDialogOptions } from 'electron'
import { basename, dirname, join } from 'node:path'
import type { CallArgs } from '../contract/calls.ts'
import { withoutPaths, type Abilities, type ServicePort } from './answer.ts'
import { nameOf, takeOut } from './take-out.ts'

export function windowAbilities(service: ServicePort, window: () => BrowserWindow | null): Abilities {
  let savedIn: string | null = null
  return {
    ...withoutPaths(service),
    'library.status': async (args) => ({ ...(await service.call('library.status', args)), host: 'window' }),
    'files.choose': async (args) => {
      const front = window()
      const options = openOptions(args)
      const { canceled, filePaths } = await (front === null
        ? dialog.showOpenDialog(options)
        : dialog.showOpenDialog(front, options))
      return { paths: canceled ? null : filePaths }
    },
    'export.download': async ({ request }) => {
      const front = window()
      const name = nameOf(request)
      const options = { title: 'Save', defaultPath: savedIn === null ? name : join(savedIn, name) }
      const { canceled, filePath } = await (front === null
        ? dialog.showSaveDialog(options)
        : dialog.showSaveDialog(front, options))
      if (canceled || basename(filePath) === '') return { how: 'cancelled' }
      savedIn = dirname(filePath)
      return { how: 'saved', files: await takeOut(service, request, filePath) }
    },
  }
}

function openOptions({ title, several, folder }: CallArgs<'files.choose'>): OpenDialogOptions {
  return {
    ...(title === undefined ? {} : { title }),
    properties: [
      folder === true ? 'openDirectory' : 'openFile',
      ...(several === true ? ['multiSelections' as const] : []),
    ],
  }
}
