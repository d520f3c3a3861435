// CMake needs a source file to know the language of a target with precompiled headers.
