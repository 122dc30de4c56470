/** The two channels between the page and the main process; nothing else crosses. */
export const callChannel = 'anticlique:call'
export const eventChannel = 'anticlique:event'
