import './contract/no-compiling.ts'
import { builtPlaces, startApp } from './host/ipc-app.ts'
import { Library } from './library/library.ts'
import { keepAsPrivateAs, libraryLocation } from './library/location.ts'
import { Pool } from './pool/pool.ts'
import { Service } from './service/service.ts'

startApp(builtPlaces(import.meta.dirname, process.env['ELECTRON_RENDERER_URL']), async () => {
  const library = Library.open(libraryLocation(undefined))
  keepAsPrivateAs(library.folder)
  return new Service({ library, runner: new Pool() }).watchLibrary()
})
