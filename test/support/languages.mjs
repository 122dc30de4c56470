// Python with NumPy, SciPy, NetworkX and igraph, and R, for the tests of the modules for them.
import { spawnSync } from 'node:child_process'
import { aptInstall, isLinuxRoot } from './software-adapter.mjs'

export const PYTHON_PACKAGES = [
  'python3-numpy',
  'python3-scipy',
  'python3-networkx',
  'python3-igraph',
  'python3-pandas',
]
const succeeds = (command, args, options = {}) =>
  spawnSync(command, args, { stdio: 'ignore', timeout: 60_000, ...options }).status === 0

/** The system's Python first: Debian's packages are its own. null where none has the modules. */
export function findPython() {
  const imports = ['-c', 'import numpy, scipy.sparse, networkx']
  return ['/usr/bin/python3', 'python3', 'python'].find((python) => succeeds(python, imports)) ?? null
}

/** One whose NetworkX takes backends (3.3 and newer), with NumPy and pytest. */
export function findPythonOfBackends() {
  const imports = ['-c', 'import numpy, pytest; from networkx.utils.backends import backend_info']
  return ['python3', 'python', '/usr/bin/python3'].find((python) => succeeds(python, imports)) ?? null
}

export const findR = () => (succeeds('Rscript', ['--version']) ? 'Rscript' : null)

/** Whether tests of both can run, and one sentence for each that cannot. On Debian as root Python's packages are installed. */
export function prepareLanguages({ install, log }) {
  const left = (language, needs) => log(`Tests of the ${language} module are left out: ${needs}.`)
  if (findPython() === null) {
    if (install && isLinuxRoot()) aptInstall(PYTHON_PACKAGES, log, 'no Python with NumPy, SciPy and NetworkX yet')
    if (findPython() === null) left('Python', `there is no Python with ${PYTHON_PACKAGES.slice(0, 3).join(', ')}`)
  }
  if (findR() === null) left('R', 'there is no Rscript (Debian: r-base-core)')
}
