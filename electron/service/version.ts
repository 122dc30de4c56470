import manifest from '../../package.json' with { type: 'json' }

/** Put in by the build (electron.vite.config.ts): the commit in 12 digits, with a + where files were changed since. */
declare const ANTICLIQUE_COMMIT: string | undefined

/** null of a build from an archive of the source, and where nothing was built. */
export const commit = typeof ANTICLIQUE_COMMIT === 'string' && ANTICLIQUE_COMMIT !== '' ? ANTICLIQUE_COMMIT : null

export const version: string = manifest.version

/** The line that `--version` prints. */
export const versionText = commit === null ? version : `${version} (${commit})`
