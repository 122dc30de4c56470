import { config } from 'zod'

// A compiled schema takes longer to make than the few uses of a command, or of the program of the window, repay. This is imported before all that builds one.
config({ jitless: true })
