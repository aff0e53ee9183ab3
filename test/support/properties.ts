import fc from 'fast-check';

/** Everybody tests the same cases, so that a change is what turns a test red; PROPERTY_SEED=2 and so on look for new ones. */
fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 1) });

export { fc };
