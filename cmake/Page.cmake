# The template of `rangewise report`: npm bundles web/ into one HTML file, which is embedded in the library.
# Nothing is downloaded here: scripts/setup fills web/node_modules. Without npm or web/node_modules the program
# has no template and says so when it is asked for a page; everything else is built.
find_program(RANGEWISE_NPM npm)
set(web ${PROJECT_SOURCE_DIR}/web)
set(page_folder ${CMAKE_CURRENT_BINARY_DIR}/web)
set(page_template ${page_folder}/page.html)
if(RANGEWISE_NPM AND EXISTS ${web}/node_modules/.package-lock.json)
  file(GLOB_RECURSE web_sources CONFIGURE_DEPENDS ${web}/src/* ${web}/build/*)
  list(APPEND web_sources ${web}/page.html ${web}/package.json ${web}/package-lock.json ${web}/tsconfig.json
       ${web}/vite.config.ts)
  add_custom_command(
    OUTPUT ${page_template} ${page_folder}/licences.txt
    COMMAND ${RANGEWISE_NPM} run --silent build -- --outDir ${page_folder} --emptyOutDir --logLevel warn
    WORKING_DIRECTORY ${web}
    DEPENDS ${web_sources}
    COMMENT "Bundling the page of rangewise report"
    VERBATIM)
else()
  message(STATUS "npm or web/node_modules is missing: `rangewise report` will have no page (scripts/setup installs both)")
  set(page_template ${CMAKE_CURRENT_BINARY_DIR}/embedded/no_page.html)
  file(WRITE ${page_template} "")
endif()
rangewise_embed(librangewise page_template ${page_template})
