// Finds Open MPI for the tests of several ranks, and installs it where that is allowed.
// Plain JavaScript on purpose: it runs on the system's Node, before anything is built.
import { spawnSync } from 'node:child_process'
import { aptInstall, isLinuxRoot } from './software-adapter.mjs'

export const MPI_PACKAGES = ['openmpi-bin']
const names = ['mpirun.openmpi', 'mpirun']

/** The name of Open MPI's mpirun, or null. */
export function findOpenMpi() {
  const isOpenMpi = (name) => {
    const { status, stdout } = spawnSync(name, ['--version'], { encoding: 'utf8', timeout: 30_000 })
    return status === 0 && stdout.includes('Open MPI')
  }
  return names.find(isOpenMpi) ?? null
}

/** Returns { mpirun, required, reason }. required: the machine (Linux, root) must have one, and could not get it. */
export function prepareOpenMpi({ install = false, log = () => {} } = {}) {
  let mpirun = findOpenMpi()
  const mayInstall = install && isLinuxRoot()
  if (mpirun === null && mayInstall) {
    aptInstall(MPI_PACKAGES, log, 'no Open MPI yet')
    mpirun = findOpenMpi()
  }
  return { mpirun, required: mpirun === null && mayInstall, reason: 'no Open MPI was found; install openmpi-bin' }
}

/** More ranks than processors, as root: for tests. */
export const mpiEnvironment = {
  OMPI_ALLOW_RUN_AS_ROOT: '1',
  OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: '1',
  OMPI_MCA_mpi_yield_when_idle: '1',
  OMPI_MCA_rmaps_base_oversubscribe: '1',
}
