/** What a model typically sends in one chunk. */
export const chunkText = 'a few words of an answer, as models send them ';

/** Chunks that arrive together. */
export const chunksPerTick = 10;
