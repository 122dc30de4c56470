import { execFile, spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Of the operating system. */
export interface Machine {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  /** null for files that cannot be read. */
  text(path: string): string | null
  /** In order. */
  names(folder: string): readonly string[]
  exists(path: string): boolean
  /** To this user. */
  isOpen(path: string): boolean
  /** null when it is missing, fails, or takes too long. */
  output(command: string, args: readonly string[], timeoutMs: number): string | null
}

/** @param root "/", or a folder that stands for it */
export function machineAt(root: string, changes: Partial<Machine> = {}): Machine {
  return {
    platform: process.platform,
    env: process.env,
    text: (path) => orElse(null, () => readFileSync(join(root, path), 'utf8')),
    names: (folder) => orElse([], () => readdirSync(join(root, folder)).sort()),
    exists: (path) => existsSync(join(root, path)),
    isOpen: (path) =>
      orElse(false, () => {
        accessSync(join(root, path), constants.R_OK | constants.W_OK)
        return true
      }),
    output: (command, args, timeout) => {
      const { status, stdout } = spawnSync(command, args, {
        timeout,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
        windowsHide: true,
      })
      return status === 0 ? stdout : null
    },
    ...changes,
  }
}

export const thisMachine: Machine = machineAt('/')

/** The answer to one command is known. */
export async function askedAhead(
  machine: Machine,
  command: string,
  args: readonly string[],
  timeout: number,
): Promise<Machine> {
  const asked = await new Promise<string | null>((resolve) =>
    execFile(command, args, { timeout, encoding: 'utf8', windowsHide: true }, (error, stdout) =>
      resolve(error === null ? stdout : null),
    ),
  )
  return { ...machine, output: (wanted, ...how) => (wanted === command ? asked : machine.output(wanted, ...how)) }
}

function orElse<T>(otherwise: T, attempt: () => T): T {
  try {
    return attempt()
  } catch {
    return otherwise
  }
}
