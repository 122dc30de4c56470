export const callChannel = 'anticlique:call'
export const eventChannel = 'anticlique:event'
