/// <reference types="node" />
// Preloaded into the built server, this makes it the next release: its schema has one more version, which adds a column to
// every table, and its messages on the bus have one, too, and a field that this release does not know.
import { register } from 'node:module';

register('./next-release-hook.js', import.meta.url);
