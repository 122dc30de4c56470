import { config } from 'zod'

// To compile a schema takes longer than the few uses of a command, or of the program of the window. Imported before anything that builds one.
config({ jitless: true })
