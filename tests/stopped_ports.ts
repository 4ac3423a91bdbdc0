/**
 * The ports of this test file's servers that have been stopped. A test stops its server before its page
 * is closed, so a page that polls can see its last request fail.
 */
export const stoppedPorts = new Set<string>();
