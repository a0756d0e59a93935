# Man pages and completions from the program's own declaration, and what `cmake --install` puts where.
# Parts: `rangewise` is what everyone gets; `zsh` and `debian` hold the same files where zsh looks for them
# outside of a Debian package and inside of one.
include(GNUInstallDirs)

set(manual ${PROJECT_BINARY_DIR}/manual)
add_executable(rangewise_manual src/cli/manual_main.cc)
target_link_libraries(rangewise_manual PRIVATE rangewise_cli)
add_custom_command(
  OUTPUT ${manual}.stamp
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${manual}
  COMMAND rangewise_manual ${manual}
  COMMAND ${CMAKE_COMMAND} -E touch ${manual}.stamp
  DEPENDS rangewise_manual
  COMMENT "Writing man pages and completions"
  VERBATIM)
add_custom_target(manual ALL DEPENDS ${manual}.stamp)

set(share ${CMAKE_INSTALL_DATADIR})
set(part COMPONENT rangewise)
install(TARGETS rangewise RUNTIME ${part})
install(DIRECTORY ${manual}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 ${part})
install(FILES ${manual}/bash/rangewise DESTINATION ${share}/bash-completion/completions ${part})
install(FILES ${manual}/fish/rangewise.fish DESTINATION ${share}/fish/vendor_completions.d ${part})
install(FILES ${manual}/zsh/_rangewise DESTINATION ${share}/zsh/site-functions COMPONENT zsh)
install(FILES ${manual}/zsh/_rangewise DESTINATION ${share}/zsh/vendor-completions
        COMPONENT debian EXCLUDE_FROM_ALL)
install(DIRECTORY schema DESTINATION ${share}/rangewise ${part})
install(DIRECTORY skills DESTINATION ${share}/rangewise ${part})
install(DIRECTORY samples DESTINATION ${share}/rangewise ${part} FILES_MATCHING
        PATTERN README.md PATTERN manifest.yaml PATTERN trace.sqlite PATTERN "nsys_*.csv"
        PATTERN cohorts EXCLUDE)
install(DIRECTORY samples/cohorts DESTINATION ${share}/rangewise/samples ${part})
install(FILES LICENSE README.md CHANGELOG.md ARCHITECTURE.md CONTRIBUTING.md
        DESTINATION ${CMAKE_INSTALL_DOCDIR} ${part})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} ${part} FILES_MATCHING PATTERN "*.md")
install(FILES ${PROJECT_BINARY_DIR}/web/licences.txt DESTINATION ${CMAKE_INSTALL_DOCDIR}
        RENAME licences-of-the-page.txt ${part} OPTIONAL)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright
        COMPONENT debian EXCLUDE_FROM_ALL)

# Where the files of install_manifest.txt lie: the list has no word of DESTDIR. Not of parts, which
# have lists of their own, and of which cpack installs.
install(CODE "file(WRITE \"${PROJECT_BINARY_DIR}/install_destdir.txt\" \"\$ENV{DESTDIR}\")")

add_custom_target(uninstall
  COMMAND ${CMAKE_COMMAND} -DMANIFEST=${PROJECT_BINARY_DIR}/install_manifest.txt
          -P ${PROJECT_SOURCE_DIR}/cmake/Uninstall.cmake
  COMMENT "Removing what the last `cmake --install` of this build installed"
  VERBATIM)
