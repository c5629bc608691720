/** Makes new files of this process inaccessible to other users. */
export const restrictNewFiles = () => process.umask(0o077)
