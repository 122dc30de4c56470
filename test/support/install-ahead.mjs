// Installs what Debian has for the tests, where test/run.mjs may, while that installs npm's packages. It needs none of those.
import { CHROMIUM_PACKAGES, findChromium } from './chromium.mjs'
import { PYTHON_PACKAGES, findPython } from './languages.mjs'
import { MPI_PACKAGES, findOpenMpi } from './mpi.mjs'
import { aptInstall, isLinuxRoot } from './software-adapter.mjs'

const missing = [
  ...(findOpenMpi() === null ? MPI_PACKAGES : []),
  ...(findChromium() === null ? CHROMIUM_PACKAGES : []),
  ...(findPython() === null ? PYTHON_PACKAGES : []),
]
if (isLinuxRoot() && missing.length > 0) aptInstall(missing, console.log, 'The tests need packages')
