import fc from 'fast-check'

// Looking for a smaller counterexample can outlast a test's time, and the message is then a time limit instead of the
// case. Unattended, the first counterexample is reported with its seed; a person who repeats it gets the smaller one.
fc.configureGlobal({ endOnFailure: process.env['CI'] === 'true' })
