// Headers.cpp - a source for precompiled headers to belong to.
